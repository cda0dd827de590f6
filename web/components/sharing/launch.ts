export const loadShare = async () => (await import('./share-dialog.tsx')).ShareDialog
