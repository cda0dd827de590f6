import { expect, test } from 'vitest'
import { imageDensities, responsiveImage } from './responsive-image.ts'

const made = [512, 640, 768, 1024, 1280, 2048].map((width) => ({ src: `/p/${width}`, width }))

test('imageDensities defaults to densities 1 and 2, and throws for an empty list', () => {
  expect(imageDensities((density) => `/p/${density}`)).toBe('/p/1 1x, /p/2 2x')
  expect(imageDensities((density) => (density < 3 ? '/p' : undefined), [1, 3])).toBe('/p 1x')
  expect(() => imageDensities(() => '/p', [])).toThrow('densities must not be empty')
})

test('responsiveImage writes sizes by screen width and selects the candidates that they need', () => {
  const { srcset, sizes } = responsiveImage(made, { sizes: '100vw sm:50vw lg:400px' })
  expect(sizes).toBe('(max-width: 639px) 100vw, (max-width: 1023px) 50vw, 400px')
  expect(srcset).toBe('/p/512 512w, /p/640 640w, /p/1024 1024w, /p/1280 1280w')
})

test('responsiveImage selects the largest candidate if none is large enough', () => {
  const renditions = [
    { src: '/preview', width: 2048 },
    { src: '/thumb', width: 512 },
  ]
  expect(responsiveImage(renditions, { sizes: '100vw' }).srcset).toBe('/preview 2048w')
  expect(responsiveImage(renditions, { sizes: '200px' }).srcset).toBe('/thumb 512w')
  expect(responsiveImage(renditions, { sizes: '400px' }).srcset).toBe('/thumb 512w, /preview 2048w')
})

test.each([
  ['xs', 319],
  ['sm', 639],
  ['md', 767],
  ['lg', 1023],
  ['xl', 1279],
  ['xxl', 1535],
  ['2xl', 1535],
])('the screen %s begins above %i pixels', (screen, last) => {
  expect(responsiveImage(made, { sizes: `100vw ${screen}:200px` }).sizes).toBe(`(max-width: ${last}px) 100vw, 200px`)
})

test('responsiveImage throws for an unknown size and for an empty list of densities', () => {
  expect(() => responsiveImage(made, { sizes: '50%' })).toThrow('Unknown size: 50%')
  expect(() => responsiveImage(made, { sizes: '100vw huge:50vw' })).toThrow('Unknown size: huge:50vw')
  expect(() => responsiveImage(made, { sizes: '100vw', densities: [] })).toThrow('densities must not be empty')
})
