/** Pages of the site: not what the server makes, and no files. */
export function isPage({ pathname }: URL): boolean {
  return !/^\/(api|_image|parties)\//.test(pathname) && !/\.[a-z0-9]+$/i.test(pathname)
}
