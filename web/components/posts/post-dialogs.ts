/** The dialogs of posts, fetched when one is first opened. */
export const loadNewPost = async () => (await import('./new-post-dialog.tsx')).NewPostDialog
export const loadEditPost = async () => (await import('./edit-post-dialog.tsx')).EditPostDialog

/** To fetch it is to run it, which takes a phone a tenth of a second; a service worker has it already. */
const loadEditor = async () => navigator.serviceWorker?.controller ?? import('./text-editor.tsx')

/** All that writing needs, for who wants it there before the connection is lost. */
export const POST_PARTS = [loadNewPost, loadEditPost, loadEditor]
