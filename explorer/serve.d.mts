export interface ServeOptions {
  /** 0 (the default) takes a free one */
  port?: number;
  /** 127.0.0.1 by default */
  host?: string;
  /** what config.json answers; without it the file of the build does */
  config?: object;
  /** the built site; explorer/dist by default */
  root?: string;
  /** more folders whose *.json are served under /recordings/ (they are not in the index) */
  recordings?: string[];
}

export interface ServedExplorer {
  readonly url: string;
  readonly port: number;
  setConfig(config: object): void;
  close(): Promise<void>;
}

/** Starts the static server. Throws when the site is not built, or the port is taken (code EADDRINUSE). */
export function serveExplorer(options?: ServeOptions): Promise<ServedExplorer>;

/** The policy as a header, with `connect-src` narrowed to what the configuration names. */
export function contentSecurityPolicy(config?: object): string;
