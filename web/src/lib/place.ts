// Where the dashboard lies: "" at the root of a host, "/gpuyard" below a path of a reverse proxy. The
// scripts know it from their own address, which ends in /assets/NAME.js.
export const placeOf = (script: string): string => /^(.*)\/assets\/[^/]+$/.exec(new URL(script).pathname)?.[1] ?? '';

export const PLACE = placeOf(import.meta.url);

/** The address of a path of this server. */
export const here = (path: string): string => PLACE + path;

/** The path of this server that an address of a page names. */
export const within = (pathname: string): string => (pathname.startsWith(`${PLACE}/`) ? pathname.slice(PLACE.length) : pathname);
