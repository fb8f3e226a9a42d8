import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import HistoryRounded from '~icons/ic/round-history'
import LabelIcon from '~icons/ic/round-label'
import SearchRounded from '~icons/ic/round-search'
import { CopyButton } from '../../../components/copy-button.tsx'
import { ExportData } from '../../../components/export-data.tsx'
import { OwnHistoryButton } from '../../../components/history/own/use-own-history.tsx'
import { useWhyAnswer } from '../../../components/why/use-why-answer.ts'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { connectionsQuery, nameAndNumber, numbersOf } from '../../../lib/account/connections.ts'
import { dayAndTime, phoneNumber } from '../../../lib/format/format.ts'
import { pastAddress } from '../../../lib/paths.ts'
import { choosingLineAtom, labellingAtom } from '../atoms.ts'
import { contactName } from '../contact-name.ts'
import { NumberMovedDetails } from '../conversation/number-moved.tsx'
import { SuspectedRobotDetails } from '../conversation/suspected-robot.tsx'
import { LabelChips } from '../labels/label-chips.tsx'
import { waitsSince } from '../list/contact-lists.ts'
import { PanelFrame } from '../panel-frame.tsx'
import { statusNames } from '../status-badge.tsx'
import { useNow } from '../use-now.ts'
import { useSeparateContact } from './api.ts'
import { BotSection } from './bot-section.tsx'
import { ContactFields } from './contact-fields.tsx'
import { ContactNameForm } from './contact-name-form.tsx'
import { ContactNotes } from './contact-notes.tsx'
import { EraseContactDialog } from './erase-contact-dialog.tsx'

const ContactLabels = ({ contact }: { contact: Contact }) => {
  const setLabelling = useSetAtom(labellingAtom)
  return (
    <Box component="section" sx={{ mb: 4 }}>
      <Typography variant="h3" sx={{ mb: 2 }}>
        Etiquetas
      </Typography>
      {contact.labels.length > 0 && (
        <Box sx={{ mb: 2 }}>
          {contact.labels.map((id) => (
            <Box key={id} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <LabelChips ids={[id]} />
              <WhyButton of={{ kind: 'contact', id: contact.id, field: 'label', part: id }} what="Etiqueta" />
            </Box>
          ))}
        </Box>
      )}
      <Button variant="outlined" startIcon={<LabelIcon />} onClick={() => setLabelling([contact.id])}>
        Etiquetar
      </Button>
    </Box>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
      {name}
    </Typography>
    <Typography component="dd" sx={{ m: 0, mb: 3, overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
  </>
)

const Merged = ({ contact }: { contact: Contact }) => {
  const separating = useSeparateContact()
  if (contact.merged.length === 0) return null
  return (
    <Box component="section" sx={{ mb: 4 }}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        Contatos unidos
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 2 }}>
        O Prosa percebeu que são a mesma pessoa. Se não forem, separe-os: cada um volta a ter a sua conversa.
      </Typography>
      {contact.merged.map((other) => (
        <Box key={other.id} sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 'var(--target)' }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography noWrap>{contactName(other)}</Typography>
            {other.name && (
              <Typography noWrap variant="caption" component="p" sx={{ color: 'text.secondary' }}>
                {phoneNumber(other.phone)}
              </Typography>
            )}
          </Box>
          <Button
            size="small"
            variant="outlined"
            disabled={separating.isPending}
            aria-label={`Separar ${contactName(other)}`}
            onClick={() => separating.mutate({ contactId: contact.id, mergedId: other.id })}
          >
            Separar
          </Button>
        </Box>
      ))}
    </Box>
  )
}

const OurNumber = ({ contact }: { contact: Contact }) => {
  const { data: connections = [] } = useQuery(connectionsQuery)
  const choose = useSetAtom(choosingLineAtom)
  const numbers = numbersOf(connections)
  if (numbers.length < 2) return null
  const own = numbers.find(({ id }) => id === contact.connectionId)
  return (
    <Fact name="Nosso número">
      <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
          {own ? nameAndNumber(own) : 'Nenhum ainda'}
        </Box>
        <Button size="small" onClick={() => choose(contact.id)} sx={{ flexShrink: 0 }}>
          {own ? 'Trocar' : 'Escolher'}
        </Button>
      </Box>
    </Fact>
  )
}

/** Its name is only in the answer to why. */
const Attendant = ({ contactId }: { contactId: string }) => {
  const of = { kind: 'contact', id: contactId, field: 'attendant' } as const
  const { data } = useWhyAnswer(of, false)
  return (
    <Fact name="Quem atende">
      {data?.after} <WhyButton of={of} what="Quem atende" />
    </Fact>
  )
}

const Facts = ({ contact }: { contact: Contact }) => {
  const now = useNow(60_000)
  const since = waitsSince(contact)
  return (
    <Box component="dl" sx={{ m: 0 }}>
      <Fact name="Telefone">
        {contact.phone ? (
          <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            {phoneNumber(contact.phone)}
            <CopyButton text={phoneNumber(contact.phone)} what="o telefone" done="Telefone copiado" />
            <WhyButton of={{ kind: 'contact', id: contact.id, field: 'phone' }} what="Telefone" />
          </Box>
        ) : contact.numberMoved?.how === 'passed_on' ? (
          'Passou para outra conta'
        ) : (
          'O WhatsApp não informou'
        )}
      </Fact>
      <OurNumber contact={contact} />
      <Fact name="Situação">
        {statusNames[contact.serviceStatus]}{' '}
        <WhyButton of={{ kind: 'contact', id: contact.id, field: 'status' }} what="Situação" />
      </Fact>
      {contact.serviceStatus === 'attending' && <Attendant contactId={contact.id} />}
      {since && <Fact name="Aguarda desde">{dayAndTime(since, now)}</Fact>}
      <Fact name="Última atividade">{dayAndTime(contact.lastActivity, now)}</Fact>
    </Box>
  )
}

/** Many controls render slowly: the press shows the panel, and the next frame these. */
const Sections = ({ contact, onErase }: { contact: Contact; onErase: () => void }) => {
  if (!useDeferredValue(true, false)) return null
  return (
    <>
      <Facts contact={contact} />
      <ContactLabels contact={contact} />
      <BotSection contact={contact} />
      <ContactFields key={`fields ${contact.id}`} contactId={contact.id} />
      <NumberMovedDetails contact={contact} />
      <SuspectedRobotDetails contact={contact} />
      <ContactNotes key={`notes ${contact.id}`} contactId={contact.id} />
      <Merged contact={contact} />
      <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
        <ExportData
          key={`copy ${contact.id}`}
          label="Exportar dados"
          target={{ kind: 'contact', contactId: contact.id }}
        />
        <Button color="error" variant="outlined" onClick={onErase}>
          Apagar contato
        </Button>
      </Box>
    </>
  )
}

interface Props {
  contact: Contact
  onSearch: () => void
  onClose: () => void
  onErased: () => void
}

export const DetailsPanel = ({ contact, onSearch, onClose, onErased }: Props) => {
  const [isErasing, setErasing] = useState(false)
  const closeRef = useRef<HTMLButtonElement>(null)
  useEffect(() => closeRef.current?.focus(), [])
  return (
    <PanelFrame
      label="Detalhes do contato"
      heading="Detalhes"
      close="Fechar detalhes"
      closeRef={closeRef}
      onClose={onClose}
    >
      <Box sx={{ px: 4, pb: 4 }}>
        <ContactNameForm key={`name ${contact.id}`} contact={contact} />
        {contact.name !== null && (
          <Box sx={{ mt: -2, mb: 3 }}>
            <WhyButton of={{ kind: 'contact', id: contact.id, field: 'name' }} what="Nome" />
          </Box>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mb: 4 }}>
          <Button variant="outlined" startIcon={<SearchRounded />} onClick={onSearch}>
            Buscar na conversa
          </Button>
          <Button
            variant="outlined"
            component={Link}
            to={pastAddress(contact.lastActivity, contact.id)}
            startIcon={<HistoryRounded />}
          >
            Ver como era
          </Button>
          <OwnHistoryButton target={{ title: contactName(contact), contactId: contact.id }} />
        </Box>
        <Sections contact={contact} onErase={() => setErasing(true)} />
      </Box>
      {isErasing && (
        <EraseContactDialog
          contact={contact}
          onClose={() => setErasing(false)}
          onErased={() => {
            setErasing(false)
            onErased()
          }}
        />
      )}
    </PanelFrame>
  )
}
