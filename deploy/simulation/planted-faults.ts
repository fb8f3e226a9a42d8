export interface PlantedFault {
  name: string
  file: string
  from: string
  to: string
  seed: number
  finds: RegExp
}

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'the timer of a run names the contact that was merged',
    file: 'automation/src/run/continue-run-timer.ts',
    from: 'return until ? schedule(runId, until, { contactId: parseStream(stream).id, flowId, version }) : undefined',
    to: 'return until ? schedule(runId, until, { contactId: data.from, flowId, version }) : undefined',
    seed: 3,
    finds: /waits for ever/,
  },
  {
    name: 'a change of address is not followed',
    file: 'billing/src/purchases/claim-on-email-confirmed.ts',
    from: 'EmailChanged: (_, { email }, { revision }) => ({ email, since: revision }),',
    to: 'EmailChanged: (last) => last,',
    seed: 15,
    finds: /has the address/,
  },
  {
    name: 'the hash of a temporary password is kept',
    file: 'identity/src/accounts/forget-on-user-erased.ts',
    from: 'TemporaryPasswordSet: withCredential,',
    to: 'TemporaryPasswordSet: (traces) => traces,',
    seed: 27,
    finds: /password .* is kept/,
  },
  {
    name: "only the survivor's chat is looked into for replies out of hours",
    file: 'contacts/src/sending/reply-out-of-hours.ts',
    from: 'for (const chatId of chatIdsOf(person))\n          if',
    to: 'for (const chatId of [person.id])\n          if',
    seed: 15,
    finds: /in that closed time/,
  },
  {
    name: 'what comes to an erased account keeps its key',
    file: 'contacts/src/chat/receive-on-message-arrived.ts',
    from: 'else if (await accountErasures.load(tenant, tenant))',
    to: 'else if (tenant === null)',
    seed: 27,
    finds: /of who was erased/,
  },
]
