/** Hash of an address that opens an item with its comments. */
export const AT_COMMENTS = '#comments'

/** Address within the app of an item in a collection, with its comments. */
export function commentsPath(collectionId: string, { kind, id }: { kind: 'post' | 'asset'; id: string }): string {
  return `/collections/${kind === 'post' ? 'timeline' : 'media'}?c=${collectionId}&item=${id}${AT_COMMENTS}`
}
