import { BuildMeta, LATEST_PATH, LatestBuild, metaPath } from '../../contract/site.ts'

/** Part of the same deployment as the worker, so it cannot change while the worker runs. */
let known: BuildMeta | null = null

/** The paths of the site, as written by the build. Concurrent requests read it separately, because a request must not await the I/O of another. */
export async function readBuildMeta(assets: Fetcher): Promise<BuildMeta> {
  if (known) return known
  const json = async (path: string) => (await assets.fetch(`https://assets.invalid${path}`)).json()
  const { id } = LatestBuild.parse(await json(LATEST_PATH))
  known = BuildMeta.parse(await json(metaPath(id)))
  return known
}
