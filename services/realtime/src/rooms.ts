export const tenantRoom = (userId: string): string => `owner:${userId}`

export const contactRoom = (contactId: string): string => `contact:${contactId}`

export const contactOfRoom = (room: string): string | undefined => /^contact:(.+)$/.exec(room)?.[1]

export const adminRoom = 'admin'

export const sessionRoom = (sessionId: string): string => `session:${sessionId}`
