/** The dialogs of posts, each loaded on first use. */
export const loadNewPost = async () => (await import('./new-post-dialog.tsx')).NewPostDialog
export const loadEditPost = async () => (await import('./edit-post-dialog.tsx')).EditPostDialog

/** Importing the module also runs it, which takes a phone a tenth of a second; with a service worker the file is already cached. */
const loadEditor = async () => navigator.serviceWorker?.controller ?? import('./text-editor.tsx')

/** All parts needed for writing, loaded ahead in case the connection is lost. */
export const POST_PARTS = [loadNewPost, loadEditPost, loadEditor]
