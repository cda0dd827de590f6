/**
 * Pixels. No browser lays out an element of more than 2^25 pixels, Firefox none of more than about 17.8 million; a hundred thousand photos
 * one below the other are taller. The box of such content stays at this height.
 */
export const MAX_BOX_HEIGHT = 16_000_000

/** Within this distance of either end, content and box move pixel for pixel, so that their ends match. */
const EDGE = 1_000_000
/** When the box comes closer to its end than this while the content continues, the box is repositioned. */
const RESERVE = EDGE / 2
/** Pixels in one step that exceed any touch or wheel scroll: a jump, or the scrollbar. */
const FAR = 10_000

/** In pixels, of the content and of the screen. */
export interface Size {
  height: number
  view: number
}

/** Scroll offset of the box, and the matching offset of the content. */
export interface Position {
  box: number
  top: number
}

export const boxHeight = (height: number): number => Math.min(height, MAX_BOX_HEIGHT)

/**
 * Scrolls content that is taller than its box can be. Short distances are scrolled pixel for pixel; after a jump the box is positioned in
 * proportion to the content. `shift` is the height of the content above the box.
 */
export function createTallScroll() {
  let shift = 0
  let last = 0
  const settle = (box: number, top: number): Position => {
    shift = top - box
    last = box
    return { box, top }
  }
  return {
    shift: () => shift,
    /** Offset of the content after the box has been scrolled to `box`; the box may have to be repositioned. */
    read(box: number, size: Size): Position {
      const room = roomOf(size)
      if (room === 0) return settle(box, box)
      if (Math.abs(box - last) > FAR) return settle(box, topOf(box, room))
      return stayNear(box, box + clamp(shift, 0, room), size, settle)
    },
    /** Offset of the box that puts the content at `top`. */
    move(top: number, size: Size): Position {
      const room = roomOf(size)
      if (room === 0) return settle(top, top)
      if (Math.abs(top - shift - last) > FAR) return settle(boxOf(top, room), top)
      return stayNear(top - clamp(shift, 0, room), top, size, settle)
    },
  }
}

/** Stays pixel for pixel as long as the box does not end before the content. */
function stayNear(box: number, top: number, size: Size, settle: (box: number, top: number) => Position): Position {
  const room = roomOf(size)
  const short = (top > box && box < RESERVE) || (top - box < room && MAX_BOX_HEIGHT - size.view - box < RESERVE)
  return settle(short ? boxOf(top, room) : box, top)
}

const roomOf = ({ height }: Size): number => Math.max(0, height - MAX_BOX_HEIGHT)

const MIDDLE = MAX_BOX_HEIGHT - 2 * EDGE

function topOf(box: number, room: number): number {
  return box + room * clamp((box - EDGE) / MIDDLE, 0, 1)
}

function boxOf(top: number, room: number): number {
  return top - room * clamp((top - EDGE) / (MIDDLE + room), 0, 1)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
