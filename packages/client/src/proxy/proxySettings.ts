/** Where a proxy listens, and to whom. */
export interface ProxySettings {
  readonly host: string;
  readonly port: number;
  /** Sites whose pages may ask; `*` is any. */
  readonly origins: readonly string[];
}

export interface RunningProxy {
  readonly url: string;
  stop(): Promise<void>;
}
