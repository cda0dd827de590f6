import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readXmp } from '../../../contract/photos/xmp.ts'
import { PLACED_XMP } from '../../../tests/support/placed-files.ts'
import { cleanXmp } from './xmp.ts'

const cleaned = (xmp: string) => new TextDecoder().decode(cleanXmp(new TextEncoder().encode(xmp)))

test('XMP keeps the projection of a panorama and is still a document', () => {
  const clean = cleaned(PLACED_XMP)
  expect(clean).toContain('GPano:ProjectionType="equirectangular"')
  expect(clean).toMatch(/^<\?xpacket[\s\S]*<\/x:xmpmeta>\s*<\?xpacket end="w"\?>$/)
  expect(clean).not.toMatch(/Hallstatt|Austria|47,33|13,38/)
  expect(readXmp(clean)).toEqual(readXmp(''))
  expect(new TextEncoder().encode(clean).length).toBe(new TextEncoder().encode(PLACED_XMP).length)
})

test('XMP keeps where a film is in its photo, and the gain map', () => {
  const parts = `<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Hallstatt"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:C="http://ns.google.com/photos/1.0/container/" xmlns:I="http://ns.google.com/photos/1.0/container/item/"
      xmlns:G="http://ns.google.com/photos/1.0/camera/" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" G:MotionPhoto="1" G:hdrp_makernote="Hallstatt">
    <C:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><C:Item I:Mime="video/mp4" I:Length="1234"/></rdf:li></rdf:Seq></C:Directory>
    </rdf:Description></rdf:RDF></x:xmpmeta>`
  const clean = cleaned(parts)
  for (const kept of ['hdrgm:Version="1.0"', 'G:MotionPhoto="1"', '<C:Item I:Mime="video/mp4" I:Length="1234"/>'])
    expect(clean).toContain(kept)
  expect(clean).not.toContain('Hallstatt')
})

test.each([
  ['a document type', '<!DOCTYPE a [<!ENTITY b "Hallstatt">]><a>&b;</a>'],
  ['CDATA', '<a><![CDATA[Hallstatt]]></a>'],
  ['an element that does not end', '<a><b>Hallstatt</a>'],
  ['a second root', '<a/><a>Hallstatt</a>'],
  ['a prefix of two namespaces', '<x:xmpmeta xmlns:x="adobe:ns:meta/"><b xmlns:x="adobe:other/">Hallstatt</b></x:xmpmeta>'],
  ['UTF-16', Array.from('<a>Hallstatt</a>', (letter) => `${letter}\0`).join('')],
])('XMP with %s becomes spaces', (_what, xmp) => {
  expect(cleaned(xmp).trim()).toBe('')
})

test('XMP of any pieces keeps its length', () => {
  const pieces = fc.constantFrom(...PLACED_XMP.split(/(?=[<"' ])/))
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
      const xmp = list.join('')
      expect(cleanXmp(new TextEncoder().encode(xmp)).length).toBe(new TextEncoder().encode(xmp).length)
    }),
    { numRuns: 300 },
  )
})

test('a long packet of nothing but beginnings of tags ends soon', () => {
  const xmp = '<a b="c" '.repeat(100_000)
  const start = performance.now()
  expect(cleaned(xmp).trim()).toBe('')
  expect(performance.now() - start).toBeLessThan(2_000)
})
