const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const ATTEMPTS_WINDOW = 5 * MINUTE

/**
 * Attempts per window, by network address, e-mail address, user, photo (of one user), link or the whole site; the window is ATTEMPTS_WINDOW unless the action has its own. Attempts by
 * `perPair` (network, and e-mail address or link), `perDevice` and `perSession` are slowed down by `SLOWED` after this number, and not counted by window.
 */
export const ATTEMPTS = {
  /** On a device that is not known for the account. */
  signIn: { perAddress: 60, perEmail: 20, perPair: 5 },
  /** On one that is. Strangers cannot use up these attempts. */
  knownSignIn: { perDevice: 5 },
  /** Entering the password while signed in. */
  confirm: { perSession: 5 },
  signUp: { perAddress: 20, perEmail: 20 },
  /** Links in mails work for an hour: even when a stranger has used up the attempts, the newest link still works. */
  reset: { perAddress: 60, perEmail: 5, window: HOUR },
  verification: { perAddress: 60, perUser: 5, perEmail: 5, window: HOUR },
  /** Reading and using links. */
  openLink: { perAddress: 60 },
  /** Opening links that people without an account look through. */
  enterLink: { perAddress: 60 },
  /** Browsers that open such a link for the first time. */
  newGuest: { perLink: 600 },
  /** Other names of guests, which are put on all that they have written. */
  guestName: { perUser: 10, perLink: 1_000, window: HOUR },
  /** The password of such a link, entered by one network and by all together. */
  linkPassword: { perLink: 300, perPair: 5 },
  /** Asking to become a member, which mails admins. */
  joinRequest: { perUser: 20, perLink: 100, window: DAY },
  /** Giving an address for a weekly mail on the page of a link. */
  weeklyMail: { perAddress: 30, perUser: 10, perLink: 300, window: DAY },
  /** Mails that ask such an address. */
  weeklyMailTo: { perEmail: 3, window: DAY },
  newAddress: { perUser: 5, perEmail: 5, window: HOUR },
  invite: { perUser: 200 },
  /** Invitations by accounts of less than a week, all together. Older accounts are not affected. */
  youngInvitations: { perSite: 500, window: DAY },
  /** Notifications to an invited address, by all inviters together. */
  invitation: { perEmail: 10, window: DAY },
  /** The same by one inviter, so that nobody uses up those of the others. */
  invitationFrom: { perEmail: 3, window: DAY },
  upload: { perUser: 10_000 },
  uploadsOfDay: { perUser: 50_000, window: DAY },
  /** Writing, changing and deleting comments, and bringing them back; `perLink` counts those of all its guests, who cost nothing to make. */
  comment: { perUser: 300, perLink: 2_000 },
  /** Comments and reactions that are imported. */
  importedAnswer: { perUser: 20_000 },
  /** Mails by one person; `perLink` counts those to one collection. */
  mailIn: { perUser: 30, perLink: 300, window: HOUR },
  reaction: { perUser: 1_000, perLink: 5_000 },
  collectionsOfDay: { perUser: 100, window: DAY },
  /** Images made of one photo for one user, or for all guests of a link, in sizes that are not stored yet. */
  image: { perPhoto: 30, window: MINUTE },
  export: { perUser: 60 },
  /** Reads of a calendar link; `perUser` counts those of one link. */
  calendar: { perAddress: 3_000, perUser: 60 },
} as const

/**
 * Attempts that are slowed down, in milliseconds: each waits twice as long after the one before, from `first` to `max`. Success, or a pause of
 * `forgotten`, resets the count.
 */
export const SLOWED = { first: 1_000, max: 15 * MINUTE, forgotten: DAY } as const

/** Invitations that a person may send a day, by the age of the account in days. */
export const INVITATIONS_PER_DAY = [
  { from: 0, number: 50 },
  { from: 7, number: 200 },
  { from: 30, number: 1_000 },
] as const
