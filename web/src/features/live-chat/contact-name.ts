import type { Contact } from '@prosa/contracts/http/live-chat'
import { phoneNumber } from '../../lib/format/format.ts'

export const contactName = ({ name, phone }: Pick<Contact, 'name' | 'phone'>): string =>
  name?.trim() || phoneNumber(phone) || 'Contato sem número'
