/**
 * Fields of the form that createAsset takes in place of its JSON body, with a file of at most one part. `asset` is that body as JSON, without
 * what can be taken from the file; the others are files, of which only `file` is required. Not in assets.ts, which every page loads.
 */
export const UPLOAD_FORM = ['asset', 'thumb', 'preview', 'file'] as const
