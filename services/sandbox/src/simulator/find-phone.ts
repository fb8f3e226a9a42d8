import type { PhoneChats } from './phone-chats.ts'
import { Refusal } from './refusal.ts'
import type { Simulator } from './simulator.ts'

/** Throws a 404. */
export function phoneById(simulator: Simulator, id: string): PhoneChats {
  const found = simulator.phone(id)
  if (!found) throw new Refusal(404, 'Este telefone não existe mais.')
  return found
}
