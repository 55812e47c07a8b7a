export function schemaName(parameters: { deployment: { chainId: number }; anchorHash: string }): string;
export function codeFingerprint(): string;
