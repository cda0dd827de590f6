/** Every limit of the product in one place. Sizes in bytes, counts in items, times in milliseconds unless named otherwise. */
export const LIMITS = {
  jsonBody: 1024 * 1024,
  collectionName: 100,
  personName: 100,
  profileName: 100,
  postTitle: 200,
  postBody: 100_000,
  fileName: 255,
  altText: 1_000,
  locationName: 200,
  peoplePerCollection: 200,
  pendingInvitesPerCollection: 500,
  bulkIds: 1_000,
  collectionsPerCall: 100,
  assetsPerPost: 100,
  peoplePerItem: 200,
  fileSize: 5 * 1024 ** 3,
  partSize: 8 * 1024 ** 2,
  renditionSize: 2 * 1024 ** 2,
  pageSize: 2_000,
  defaultPageSize: 500,
  inviteDays: 30,
  trashDays: 30,
  undoDays: 30,
  /** How far back `since` reaches at least. */
  logDays: 30,
  uploadDays: 7,
  /** In one calendar of a link. */
  calendarPosts: 5_000,
  tokensPerUser: 50,
  /** Browsers of one person that are notified. */
  pushDevices: 20,
  tokenName: 100,
  /** How long a sign-in, or the password given once more, proves who it is, in minutes. */
  reauthenticationMinutes: 10,
  passwordMin: 8,
  passwordMax: 128,
  attemptsWindow: 5 * 60_000,
  /** Tries in a window, from one network address, for one e-mail address and by one person. */
  attempts: {
    signIn: { perAddress: 60, perEmail: 20 },
    signUp: { perAddress: 20, perEmail: 20 },
    reset: { perAddress: 20, perEmail: 5 },
    verification: { perAddress: 20, perEmail: 5 },
    invite: { perUser: 200 },
    /** What an invited address is told of, whoever invites it. */
    invitation: { perEmail: 10 },
    upload: { perUser: 10_000 },
    export: { perUser: 60 },
    /** Reads of a calendar link; `perUser` counts those of one link. */
    calendar: { perAddress: 3_000, perUser: 60 },
  },
} as const

/** Delays between attempts in a browser, in milliseconds: doubled from `first` to `max`, plus up to `jitter` at random. */
export const BACK_OFF = { first: 1_000, max: 30_000, jitter: 1_000 } as const

/** The connection of a browser to a room, in milliseconds; `retries` is how often it reconnects by itself before the next health check. */
export const LIVE = { retries: 5, healthCheck: 30_000, onlineDelay: 1_000, heartbeat: 25_000, timeout: 10_000, pushBuffer: 100 } as const

/** Toasts on the screen at once; how long one stays, and how long it takes to leave, in milliseconds. */
export const TOASTS = { max: 5, duration: 5_000, removalDelay: 200 } as const

/** What a room allows each of its connections. */
export const ROOM_LIMITS = { ticketSeconds: 60, socketMinutes: 15, messageBytes: 2048, messagesPerSecond: 5 } as const

/** Browser-made renditions: longest side in pixels. */
export const RENDITIONS = { thumb: 512, preview: 2048 } as const
export type RenditionName = keyof typeof RENDITIONS
