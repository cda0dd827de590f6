import { expect, test } from 'vitest'
import { bodyOf, bodyOfAnswers } from './push-news.ts'

const none = { author: 'Ana', others: 0, posts: 0, photos: 0, videos: 0, files: 0 }

test('a notification has the author and the number of items of each kind', () => {
  expect(bodyOf({ ...none, photos: 42 })).toBe('Ana added 42 photos')
  expect(bodyOf({ ...none, posts: 1 })).toBe('Ana added 1 post')
  expect(bodyOf({ ...none, photos: 2, posts: 1 })).toBe('Ana added 2 photos and 1 post')
  expect(bodyOf({ ...none, others: 1, photos: 2, videos: 1, files: 3, posts: 4 })).toBe(
    'Ana and 1 other added 2 photos, 1 video, 3 files and 4 posts',
  )
  expect(bodyOf({ ...none, others: 3, photos: 1_000 })).toBe('Ana and 3 others added more than 999 items')
})

test('a notification of comments has who wrote them, and whether they name its reader', () => {
  const one = { author: 'Ana', others: 0, comments: 1, mentioned: false }
  expect(bodyOfAnswers(one)).toBe('Ana wrote a comment')
  expect(bodyOfAnswers({ ...one, mentioned: true })).toBe('Ana mentioned you in a comment')
  expect(bodyOfAnswers({ ...one, others: 2, comments: 1_200 })).toBe('Ana and 2 others wrote 1,200 comments')
  expect(bodyOfAnswers({ ...one, comments: 2, mentioned: true })).toBe('Ana wrote 2 comments and mentioned you')
})
