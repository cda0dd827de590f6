/** Pages of the site: neither server routes nor files. */
export function isPage({ pathname }: URL): boolean {
  return !/^\/(api|_image|parties|s)\//.test(pathname) && !/\.[a-z0-9]+$/i.test(pathname)
}
