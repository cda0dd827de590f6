import type { Probe } from './types.ts'

const TIMEOUT = 15_000

/** Size, duration and one frame of a video, read by a video element. All null if the browser does not know the format. */
export async function probeVideo(file: Blob): Promise<Probe> {
  const url = URL.createObjectURL(file)
  return probeAt(url, 'auto').finally(() => URL.revokeObjectURL(url))
}

/** The same of a video at a URL. With the preload `metadata`, the browser fetches little more than what it shows. */
export async function probeAt(url: string, preload: 'auto' | 'metadata'): Promise<Probe> {
  const video = document.createElement('video')
  try {
    video.muted = true
    video.playsInline = true
    video.preload = preload
    video.src = url
    await reached(video, 'loadeddata')
    // Not the first frame: it is often black.
    video.currentTime = Math.min(1, (Number.isFinite(video.duration) ? video.duration : 0) / 3)
    await reached(video, 'seeked')
    return measure(video, await createImageBitmap(video))
  } catch {
    return video.videoWidth ? measure(video, null) : { width: null, height: null, duration: null, frame: null }
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}

function measure(video: HTMLVideoElement, frame: ImageBitmap | null): Probe {
  const duration = Number.isFinite(video.duration) ? Math.round(video.duration * 1000) / 1000 : null
  return { width: video.videoWidth || null, height: video.videoHeight || null, duration, frame }
}

function reached(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('The video took too long')), TIMEOUT)
  video.addEventListener(event, () => resolve(), { once: true })
  video.addEventListener('error', () => reject(new Error('The video cannot be played')), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
