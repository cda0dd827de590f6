import { describe, expect, test } from 'vitest'
import { sidecarFinder } from './takeout-names.ts'

/** Each file with the sidecar that it gets among all that are named; null for none. */
type Pair = [file: string, sidecar: string | null, title?: string]

const LONG = 'this is a very long name that somebody gave to the picture of the lake'
const EMOJI = '😀😃😄😁😆😅😂🤣🥲😊😇🙂🙃😉😌😍🥰😘😗😙😚😋😛😝'

const KINDS: Record<string, Pair[]> = {
  'the whole name, with or without the addition that may be cut anywhere': [
    ['a.jpg', 'a.jpg.json'],
    ['b.jpg', 'b.jpg.supplemental-metadata.json'],
    ['PXL_20230615_101112345.PORTRAIT-01.COVER~2.jpg', 'PXL_20230615_101112345.PORTRAIT-01.COVER~2.jpg.json'],
    ['00100lPORTRAIT_00100_BURST20190601_COVER.jpg', '00100lPORTRAIT_00100_BURST20190601_COVER.jpg.s.json'],
    ['IMG_20190601_100500123_HDR_BURST001.jpg', 'IMG_20190601_100500123_HDR_BURST001.jpg.suppl.json'],
    ['IMG_20190601_100500123_HDR_BURST002.jpg', 'IMG_20190601_100500123_HDR_BURST002.jpg..json'],
  ],
  'numbers of Google beside numbers of the name': [
    ['IMG_1.jpg', 'IMG_1.jpg.json'],
    ['IMG_1(1).jpg', 'IMG_1.jpg(1).json'],
    ['IMG_2(1).jpg', 'IMG_2.jpg.supplemental-metadata(1).json'],
    ['IMG_4(1).jpg', 'IMG_4.jpg(1).supplemental-metadata.json'],
    ['IMG_4(2).heic', 'IMG_4.heic(2).supple.json'],
    ['foo (1).jpg', 'foo (1).supplemental-metadata.json'],
    ['image (1).jpg', 'image (1).jpg.supplemental-metadata.json'],
    ['Negative0-36-35(1).jpg', 'Negative0-36-35(1).jpg.supplemental-metadata.json'],
    ['Negative0-36-36(1)(1).jpg', 'Negative0-36-36(1).jpg.supplemental-metadata(1).json'],
    ['2025-04-28(3516).jpg', '2025-04-28.jpg.supplemental-metadata(3516).json'],
    ['IMG_3(2).jpg', null],
    ['IMG_3.jpg', 'IMG_3.jpg.json'],
  ],
  'names that were cut': [
    [`${LONG.slice(0, 47)}.jpg`, `${LONG.slice(0, 46)}.json`, `${LONG}.jpg`],
    [`${'x'.repeat(46)}a.jpg`, `${'x'.repeat(46)}.json`, `${'x'.repeat(46)}apple.jpg`],
    [`${'x'.repeat(46)}b.jpg`, `${'x'.repeat(46)}(1).json`, `${'x'.repeat(46)}banana.jpg`],
    [`${'x'.repeat(46)}c.jpg`, null],
    [`${'y'.repeat(47)}.jpg`, `${'y'.repeat(46)}.json`, `${'y'.repeat(60)}.jpg`],
    [`${'y'.repeat(47)}(1).jpg`, `${'y'.repeat(46)}(1).json`, `${'y'.repeat(60)}.jpg`],
    ['05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jpg', '05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jp.json'],
    [`${EMOJI.slice(0, 47)}.jpg`, `${EMOJI.slice(0, 46)}.json`, `${EMOJI}.jpg`],
    [`${'e\u0301'.repeat(23)}e.jpg`, `${'e\u0301'.repeat(23)}.json`],
  ],
  'films of Live Photos and titles without extension': [
    ['IMG_12.HEIC', 'IMG_12.HEIC.supplemental-metadata.json'],
    ['IMG_12.MP4', 'IMG_12.HEIC.supplemental-metadata.json'],
    ['IMG_12(1).MOV', 'IMG_12.HEIC.supplemental-metadata(1).json'],
    ['PXL_1.MP.jpg', 'PXL_1.MP.jpg.json'],
    ['PXL_1.MP', 'PXL_1.MP.jpg.json'],
    ['PXL_1.MP~2.jpg', 'PXL_1.MP.jpg.json'],
    ['PXL_1.MP~2', 'PXL_1.MP.jpg.json'],
    ['20030616.jpg', '20030616.json'],
    ['IMG_13.PNG', 'IMG_13.PNG.json'],
    ['IMG_13.MP4', 'IMG_13.MP4.json'],
  ],
  'edited copies in any language': [
    ['IMG_7.jpg', 'IMG_7.jpg.supplemental-metadata.json'],
    ...['edited', 'bearbeitet', 'modifié', '編集済み', 'đã chỉnh sửa', 'تم تعديله', 'edi', ''].map(
      (word): Pair => [`IMG_7-${word}.jpg`, 'IMG_7.jpg.supplemental-metadata.json'],
    ),
    ['IMG_7-edited.heic', 'IMG_7.jpg.supplemental-metadata.json'],
    ['IMG_7-edited(1).jpg', 'IMG_7.jpg.supplemental-metadata(1).json'],
    [`${'z'.repeat(42)}-edit.jpg`, `${'z'.repeat(42)}.jpg.json`],
    [`${'w'.repeat(44)}-ed.jpg`, `${'w'.repeat(44)}.j.json`, `${'w'.repeat(44)}.jpg`],
    [`${'v'.repeat(46)}-.jpg`, `${'v'.repeat(46)}.json`, `${'v'.repeat(46)}.jpg`],
    ['my-cat-edited.jpg', 'my-cat.jpg.json'],
    ['my.jpg', 'my.jpg.json'],
  ],
  'names that only resemble another': [
    ['IMG_70.jpg', null],
    ['IMG_7_1.jpg', null],
    ['DSC-0001.jpg', null],
    ['DSC.jpg', 'DSC.jpg.json'],
    ['IMG_7.jpg', 'IMG_7.jpg.json'],
  ],
}

describe('Sidecars of Takeout', () => {
  test.each(Object.keys(KINDS))('%s', (kind) => {
    const pairs = KINDS[kind] ?? []
    const names = new Map(pairs.flatMap(([, sidecar, title = '']) => (sidecar ? [[sidecar, title] as const] : [])))
    const find = sidecarFinder([...names].map(([name, title]) => ({ path: `Photos/${name}`, title })))
    const found = pairs.map(([file]) => [file, find(`Photos/${file}`)?.path ?? null])
    expect(found).toEqual(pairs.map(([file, sidecar]) => [file, sidecar && `Photos/${sidecar}`]))
  })

  test('A sidecar of another folder is never taken', () => {
    expect(sidecarFinder([{ path: 'a/x.jpg.json', title: 'x.jpg' }])('b/x.jpg')).toBeNull()
  })
})
