import { describe, expect, test } from 'vitest'
import { xmpOf } from '../../tests/support/archives.ts'
import { readXmp } from './xmp.ts'

const NAMESPACES = {
  exif: 'http://ns.adobe.com/exif/1.0/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  MP: 'http://ns.microsoft.com/photo/1.2/',
  MPRI: 'http://ns.microsoft.com/photo/1.2/t/RegionInfo#',
  MPReg: 'http://ns.microsoft.com/photo/1.2/t/Region#',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  'mwg-rs': 'http://www.metadataworkinggroup.com/schemas/regions/',
}
const declared = Object.entries(NAMESPACES)
  .map(([prefix, uri]) => `xmlns:${prefix}='${uri}'`)
  .join(' ')

/** What is read of one description with these attributes and elements. */
const read = (attributes: string, elements = '') =>
  readXmp(xmpOf(`<rdf:Description rdf:about='' ${declared} ${attributes}>${elements}</rdf:Description>`))

describe('Dates in XMP', () => {
  test.each([
    ['2015-05-06T07:08:09+02:00', '2015-05-06T07:08:09+02:00', '2015-05-06T07:08:09', 'minute'],
    ['2015-05-06T07:08:09.25', null, '2015-05-06T07:08:09.25', 'minute'],
    ['2015-05-06T07:08', null, '2015-05-06T07:08:00', 'minute'],
    ['2015:05:06 07:08:09Z', '2015-05-06T07:08:09Z', '2015-05-06T07:08:09', 'minute'],
    ['1978-07-15', null, '1978-07-15T12:00:00', 'day'],
    ['1978-07', null, '1978-07-01T12:00:00', 'month'],
    ['1978-07-00', null, '1978-07-01T12:00:00', 'month'],
    ['1978', null, '1978-01-01T12:00:00', 'year'],
    ['2015-12-31T24:00:00', null, '2016-01-01T00:00:00', 'minute'],
    ['2015:02:28 24:00:00Z', '2015-03-01T00:00:00Z', '2015-03-01T00:00:00', 'minute'],
    ['2015-12-31T24:00:01', null, null, 'unknown'],
    ['2015-02-31T24:00:00', null, null, 'unknown'],
    ['0000-00-00T00:00:00', null, null, 'unknown'],
    ['2015-02-31', null, null, 'unknown'],
    ['soon', null, null, 'unknown'],
  ])('%j is read as far as it is known', (text, date, wall, precision) => {
    expect(read(`photoshop:DateCreated='${text}'`)).toMatchObject({ date, wall, precision })
  })

  test('The moment of the photo comes before its day, and both before that of the scan', () => {
    const scan = "xmp:CreateDate='2020-01-01T00:00:00Z'"
    expect(read(`${scan} photoshop:DateCreated='1978-07'`)).toMatchObject({ precision: 'month' })
    expect(read(`${scan} photoshop:DateCreated='1978-07' exif:DateTimeOriginal='1978-07-15T12:00:00'`)).toMatchObject({
      precision: 'minute',
    })
    expect(read(`${scan} exif:DateTimeOriginal='?'`)).toMatchObject({ date: '2020-01-01T00:00:00Z' })
  })

  test('An offset in its own field belongs to the moment', () => {
    expect(read("exif:DateTimeOriginal='2015-05-06T07:08:09' exif:OffsetTimeOriginal='+09:00'").date).toBe('2015-05-06T07:08:09+09:00')
  })
})

test.each([
  ['60,30.5S', '68,15.25W', undefined, -60.508333, -68.254167],
  ['60,30,30N', '68,15,15E', undefined, 60.508333, 68.254167],
  ['60.5', '68', 'W', 60.5, -68],
  ['60.5', '-68', 'West', 60.5, -68],
  ['-60.5', '-68', undefined, -60.5, -68],
  ['60/1 30/1 3000/100', '68/1 15/1 15/1', 'W', 60.508333, -68.254167],
  ['60 deg 30\' 30.00" S'.replaceAll("'", '&apos;'), '68° 15.25 E', undefined, -60.508333, 68.254167],
  ['48,2083', '16,3731', undefined, 48.2083, 16.3731],
  ['-48,208333', '16,3731 E', undefined, -48.208333, 16.3731],
  ['48,12,60N', '16,22,0E', undefined, 48.216667, 16.366667],
])('The place %j, %j with the side %j is read', (latitude, longitude, side, lat, lon) => {
  const reference = side ? `<exif:GPSLongitudeRef>${side}</exif:GPSLongitudeRef>` : ''
  const { location } = read(
    '',
    `${reference}<exif:GPSLongitude>${longitude}</exif:GPSLongitude><exif:GPSLatitude>${latitude}</exif:GPSLatitude>`,
  )
  expect(location).toEqual({ lat: expect.closeTo(lat, 5), lon: expect.closeTo(lon, 5) })
})

test.each(['48,83', '48,60N', '48,12,75N', 'north'])('%j is no latitude', (text) => {
  expect(read(`exif:GPSLatitude='${text}' exif:GPSLongitude='16.5'`).location).toBeNull()
})

test('Properties are known by their namespace, whatever its prefix, and wherever it is declared', () => {
  const xmp = `<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:ex='${NAMESPACES.exif}'>
    <rdf:Description xmlns:exif='https://example.org/' exif:DateTimeOriginal='1999-01-01T00:00:00Z' ex:DateTimeOriginal='2015-05-06T07:08:09+02:00'>
      <description xmlns='${NAMESPACES.dc}'><rdf:Alt><rdf:li xml:lang='de'>Moos</rdf:li><rdf:li xml:lang='x-default'>Tom &amp; Ann</rdf:li></rdf:Alt></description>
    </rdf:Description></rdf:RDF>`
  expect(readXmp(xmp)).toMatchObject({ date: '2015-05-06T07:08:09+02:00', description: 'Tom & Ann' })
})

describe('People in XMP', () => {
  const bag = (name: string, items: string) => `<${name}><rdf:Bag>${items}</rdf:Bag></${name}>`

  test('Faces that Windows marks are people', () => {
    const faces =
      '<rdf:li MPReg:PersonDisplayName="Ann Example" MPReg:Rectangle="0.1,0.1,0.2,0.2"/><rdf:li rdf:parseType="Resource"><MPReg:PersonDisplayName>Tom</MPReg:PersonDisplayName></rdf:li><rdf:li/>'
    expect(read('', `<MP:RegionInfo rdf:parseType='Resource'>${bag('MPRI:Regions', faces)}</MP:RegionInfo>`).people).toEqual([
      'Ann Example',
      'Tom',
    ])
  })

  test('Regions are read as elements, as attributes and as nested descriptions', () => {
    const regions =
      "<rdf:li><rdf:Description mwg-rs:Name='Ann' mwg-rs:Type='Face'/></rdf:li><rdf:li mwg-rs:Name='Tom' mwg-rs:Type='Face'/><rdf:li mwg-rs:Name='Rex' mwg-rs:Type='Pet'/>"
    expect(
      read('', `<mwg-rs:Regions><rdf:Description>${bag('mwg-rs:RegionList', regions)}</rdf:Description></mwg-rs:Regions>`).people,
    ).toEqual(['Ann', 'Tom'])
  })

  test('Names of IPTC are people, each once', () => {
    expect(read('', bag('Iptc4xmpExt:PersonInImage', '<rdf:li>Ann</rdf:li><rdf:li> Ann </rdf:li><rdf:li></rdf:li>')).people).toEqual([
      'Ann',
    ])
  })
})

describe('Damaged XMP', () => {
  test('Control characters, single ampersands and prefixes without a declaration are no obstacle', () => {
    const xmp =
      "\ufeffjunk<rdf:RDF><rdf:Description exif:DateTimeOriginal='2015-05-06T07:08:09Z' dc:title='Tom & Ann\u0001'/></rdf:RDF>\u0000\u0000"
    expect(readXmp(xmp)).toMatchObject({ date: '2015-05-06T07:08:09Z', description: 'Tom & Ann' })
  })

  test.each(['', 'no xml', '<a', '<rdf:RDF/>', `${'<a>'.repeat(100_000)}`, '<!DOCTYPE a [<!ENTITY b "&b;">]><a>&b;</a>'])(
    '%#: what cannot be read has empty fields',
    (xmp) => {
      expect(readXmp(xmp)).toEqual({ date: null, wall: null, precision: 'unknown', location: null, description: '', people: [] })
    },
  )
})
