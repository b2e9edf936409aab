/** An IPv6 address stands in brackets in a URL. */
export const originOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
