/** All browsers of one subscriber. */
export const ownerRoom = (userId: string): string => `owner:${userId}`

/** The browsers of the contact's own subscriber that have this chat in view. */
export const contactRoom = (contactId: string): string => `contact:${contactId}`

/** The contact of such a room; undefined for other rooms. */
export const contactOfRoom = (room: string): string | undefined => /^contact:(.+)$/.exec(room)?.[1]

/** The browsers of administrators. */
export const adminRoom = 'admin'

/** All sockets of one browser session, to close them together. */
export const sessionRoom = (sessionId: string): string => `session:${sessionId}`
