import { plural, t } from '#say'

/** `2 photos`, `1 video`, `3 files`: those of which there are some. */
export function mediaTexts({ photos, videos, files }: { photos: number; videos: number; files: number }): string[] {
  return [
    photos > 0 && t`${plural({ count: photos }, { one: '# photo', other: '# photos' })}`,
    videos > 0 && t`${plural({ count: videos }, { one: '# video', other: '# videos' })}`,
    files > 0 && t`${plural({ count: files }, { one: '# file', other: '# files' })}`,
  ].filter((text) => text !== false)
}
