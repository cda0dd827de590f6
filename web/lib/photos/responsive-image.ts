import { RENDITIONS } from '../../../contract/limits.ts'
import { imageDensities, responsiveImage } from '../../../contract/responsive-image.ts'
import { type ImageFields, imageSources, moves, renditionUrl } from '../media.ts'
import { fitWithin } from '../uploads/renditions.ts'

/** Sources of a responsive image: candidates for the browser, and URLs to try if its choice fails to load. */
export interface ResponsiveSources {
  sources: string[]
  srcSet?: string
  sizes?: string
}

/** An image enlarged by up to this factor still looks sharp; browsers by themselves would load one with sixteen times the pixels. */
const STRETCH = 1.25

/** By its size on the screen, such as `100vw lg:672px`: the small rendition wherever it is large enough. */
export function responsiveSources(asset: ImageFields, sizes: string): ResponsiveSources {
  const { width, height } = asset
  const both = asset.renditions.includes('thumb') && asset.renditions.includes('preview')
  if (!both || !width || !height || moves(asset)) return { sources: imageSources(asset, 'preview') }
  const small = fitWithin({ width, height }, RENDITIONS.thumb).width
  const large = fitWithin({ width, height }, RENDITIONS.preview).width
  const candidates = [
    { src: renditionUrl(asset, 'thumb'), width: Math.min(large, Math.round(small * STRETCH)) },
    { src: renditionUrl(asset, 'preview'), width: large },
  ]
  const { srcset, sizes: spelled } = responsiveImage(candidates, { sizes })
  if (srcset.includes(',')) return { sources: imageSources(asset, 'preview'), srcSet: srcset, sizes: spelled }
  return { sources: imageSources(asset, srcset.startsWith(renditionUrl(asset, 'thumb')) ? 'thumb' : 'preview') }
}

/** For images no larger on the screen than the small rendition in pixels: only the pixel density matters. */
export function denseSources(asset: ImageFields): ResponsiveSources {
  const sources = imageSources(asset, 'preview')
  const names = { 1: 'thumb', 2: 'preview' } as const
  if (!(asset.renditions.includes('thumb') && asset.renditions.includes('preview')) || moves(asset)) return { sources }
  return { sources, srcSet: imageDensities((density) => renditionUrl(asset, names[density === 1 ? 1 : 2])) }
}
