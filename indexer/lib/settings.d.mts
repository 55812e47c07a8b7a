export class StartError extends Error {
  hint: string;
  exitCode: number;
}
export function readSettings(env: NodeJS.ProcessEnv): { port: number; audit: boolean; finality: number };
