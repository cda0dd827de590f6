/** All limits of the product. Sizes in bytes, texts in characters, times in milliseconds unless the name has another unit. */
export const LIMITS = {
  jsonBody: 1024 * 1024,
  theme: 4 * 1024,
  collectionName: 100,
  personName: 100,
  profileName: 100,
  postTitle: 200,
  postBody: 100_000,
  fileName: 255,
  altText: 1_000,
  comment: 2_000,
  mentionsPerComment: 50,
  commentsPage: 200,
  /** Comments, and reactions, in one call that imports them. */
  importedAnswers: 200,
  /** Kinds of reaction of one person under one item or comment. */
  reactionsPerPerson: 20,
  locationName: 200,
  peoplePerCollection: 200,
  pendingInvitesPerCollection: 500,
  joinRequestsPerCollection: 500,
  invitesPerCall: 100,
  uploadsPerCall: 100,
  bulkIds: 1_000,
  collectionsPerCall: 100,
  assetsPerPost: 100,
  partsPerGroup: 100,
  contentId: 100,
  peoplePerItem: 200,
  fileSize: 5 * 1024 ** 3,
  partSize: 8 * 1024 ** 2,
  renditionSize: 2 * 1024 ** 2,
  avatarSize: 2 * 1024 ** 2,
  /** Larger pictures are not downloaded again to be read; of films only parts are. */
  readAgain: 128 * 1024 ** 2,
  /** Larger images are not decoded: at half a gigabyte of memory browsers begin to crash. */
  imagePixels: 120_000_000,
  pageSize: 5_000,
  trashPageSize: 2_000,
  defaultPageSize: 500,
  inviteDays: 30,
  trashDays: 30,
  /** Days for which an ended link is stored, with the names of its guests. */
  endedLinkDays: 30,
  undoDays: 30,
  /** Minimum age up to which `since` works. */
  logDays: 30,
  uploadDays: 7,
  /** Days for which a file without a row is kept: for that long, a database restored to an earlier moment can go forward again. */
  orphanDays: 7,
  /** Posts in the calendar of a link. */
  calendarPosts: 5_000,
  tokensPerUser: 50,
  /** Subscribed browsers per user. */
  pushDevices: 20,
  tokenName: 100,
  /** Days for which a token is valid unless its maker says otherwise. */
  tokenDays: 90,
  /** Minutes after a sign-in or re-authentication in which none is required again. */
  reauthenticationMinutes: 10,
  /** Days after which a session ends: without being used, and at the latest. */
  sessionIdleDays: 90,
  sessionDays: 400,
  /** For which the sign-in service accepts what is in a mailed link. */
  mailedLinkMinutes: 60,
  linksPerCollection: 50,
  itemsPerLink: 1_000,
  /** A mail to a collection: as much as Cloudflare takes, and how many parts besides its text. */
  mailSize: 25 * 1024 ** 2,
  filesPerMail: 50,
  linkName: 100,
  guestName: 60,
  passwordMin: 8,
  passwordMax: 128,
} as const

/** Delays between attempts in a browser, in milliseconds: doubled from `first` to `max`, plus up to `jitter` at random. */
export const BACK_OFF = { first: 1_000, max: 30_000, jitter: 1_000 } as const

/** The connection of a browser to a room, in milliseconds; `retries` is how often it reconnects by itself before the next health check. */
export const LIVE = { retries: 5, healthCheck: 30_000, onlineDelay: 1_000, heartbeat: 25_000, timeout: 10_000, pushBuffer: 100 } as const

/** Toasts on the screen at once; how long one stays, and how long it takes to leave, in milliseconds. */
export const TOASTS = { max: 5, duration: 5_000, removalDelay: 200 } as const

/** Limits of one connection to a room. */
export const ROOM_LIMITS = { ticketSeconds: 60, socketMinutes: 15, messageBytes: 2048, messagesPerSecond: 5 } as const

/** Browser-made renditions: longest side in pixels. */
export const RENDITIONS = { thumb: 512, preview: 2048 } as const
export type RenditionName = keyof typeof RENDITIONS
