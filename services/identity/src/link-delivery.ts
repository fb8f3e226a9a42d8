/** 'nowhere': production without a mail server. */
export type LinkDelivery = 'mail' | 'reply' | 'nowhere'
