import { BuildMeta, LATEST_PATH, LatestBuild, metaPath } from '../../contract/site.ts'

/** A file of the deployment that this worker belongs to: it does not change while the worker runs. */
let known: BuildMeta | null = null

/** Which paths there are, as the build of the web app wrote it. Each asks for itself until one has it: requests may not wait for each other's. */
export async function readBuildMeta(assets: Fetcher): Promise<BuildMeta> {
  if (known) return known
  const json = async (path: string) => (await assets.fetch(`https://assets.invalid${path}`)).json()
  const { id } = LatestBuild.parse(await json(LATEST_PATH))
  known = BuildMeta.parse(await json(metaPath(id)))
  return known
}
