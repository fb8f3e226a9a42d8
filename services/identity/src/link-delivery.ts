/** How a link gets to the person: 'nowhere' in production without a mail server. */
export type LinkDelivery = 'mail' | 'reply' | 'nowhere'
