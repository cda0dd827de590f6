/** Kinds of assets by their media type (`kindOf` in web/lib/media.ts). */
export const MEDIA_KINDS = ['photo', 'video', 'audio', 'file'] as const
