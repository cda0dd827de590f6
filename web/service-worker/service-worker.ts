import { answerFile, answerPage, isAppFile, preloaded } from './app-files.ts'
import { imageSize } from './image-rules.ts'
import { answerImage, keepShown } from './images.ts'
import { activate, install, keepLanguage } from './install.ts'
import { actOnNotification, showNotification, subscribeAgain } from './notifications.ts'
import { isPage } from './paths.ts'
import { dropOldShared, SHARE_PATH, takeShared } from './share.ts'

// Makes Cairn an app that opens without a connection. What it answers, and what it never does: docs/decisions/022.

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => {
  // Pages come from the server first and files by their hash, so any worker suits any tab.
  void self.skipWaiting()
  event.waitUntil(install())
})

self.addEventListener('activate', (event) => event.waitUntil(activate(self)))

/** Messages from other versions of the app that are not understood are ignored. */
self.addEventListener('message', (event) => {
  if (event.data?.takeOver) void self.skipWaiting()
  if (typeof event.data?.language === 'string') event.waitUntil(keepLanguage(event.data.language).catch(() => undefined))
  const shown: unknown = event.data?.shownPictures
  if (Array.isArray(shown)) event.waitUntil(keepShown(shown.map(String)).catch(() => undefined))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return
  if (request.method === 'POST' && url.pathname === SHARE_PATH) event.respondWith(takeShared(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    event.waitUntil(dropOldShared())
    // The browser has asked the server already, and would ask again if this answered nothing: a sign-in's code is good for one request.
    event.respondWith(isPage(url) ? answerPage(event) : preloaded(event))
    return
  }
  const size = imageSize(url)
  if (size) event.respondWith(answerImage(event, size))
  else if (isAppFile(url)) event.respondWith(answerFile(event))
})

self.addEventListener('push', (event) => event.waitUntil(showNotification(self, event.data)))

self.addEventListener('notificationclick', (event) => event.waitUntil(actOnNotification(self, event.notification, event.action)))

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(self, event.oldSubscription)))
