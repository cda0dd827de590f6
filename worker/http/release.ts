/** Set by dev/build-worker.ts. Undefined where code runs unbundled, as in unit tests. */
declare const CAIRN_RELEASE: string | undefined

/** Version and commit of this code, such as `0.1.0+1a2b3c4`. */
export const RELEASE = typeof CAIRN_RELEASE === 'undefined' ? 'unknown' : CAIRN_RELEASE
