import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { checkFlow } from '@prosa/contracts/flows/check-flow'
import { maximumFlowNameLength } from '@prosa/contracts/flows/flow-limits'
import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { useEffect, useRef, useState } from 'react'
import FileIcon from '~icons/ic/round-upload-file'
import { Field } from '../../../components/forms/field.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { plural } from '../../../lib/format/format.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { ApiProblem } from '../../../lib/http/http.ts'
import { useImportFlow, useKnownHere } from './api.ts'
import { fileDrop } from './file-drop.ts'
import { type ReadFlow, readFlowFile } from './read-flow-file.ts'

type Reading =
  | { state: 'none' | 'reading' }
  | { state: 'refused'; fileName: string; sentences: string[] }
  | { state: 'read'; flow: ReadFlow; sentence: string | null }

interface ZoneProps {
  onFile: (file: File) => void
}

const DropZone = ({ onFile }: ZoneProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Box
      {...fileDrop(onFile)}
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 3,
        p: 6,
        textAlign: 'center',
        color: 'text.secondary',
        border: '1px dashed',
        borderColor: 'borderStrong',
        borderRadius: 'var(--radius-panel)',
      }}
    >
      <FileIcon aria-hidden="true" />
      <Typography>Solte aqui um fluxo exportado pelo Prosa, em JSON, com até 2 MB.</Typography>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Arquivo do fluxo"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Lets the same file be chosen again after it was corrected.
          target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button variant="outlined" autoFocus onClick={() => input.current?.click()}>
        Escolher arquivo
      </Button>
    </Box>
  )
}

const Refused = ({ fileName, sentences }: { fileName: string; sentences: readonly string[] }) => (
  <Notice kind="error">
    <Typography variant="subtitle2" component="p">
      {fileName} não pode ser importado
    </Typography>
    <Box component="ul" sx={{ m: 0, pl: 4 }}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </Box>
  </Notice>
)

const Contents = ({ flow: { document }, sentence }: { flow: ReadFlow; sentence: string | null }) => {
  const errors = checkFlow(document).filter(({ severity }) => severity === 'error')
  const isComplete = errors.length === 0 && sentence === null
  return (
    <Notice kind={isComplete ? 'success' : 'warning'}>
      {plural(document.nodes.length, 'passo', 'passos')} e {plural(document.links.length, 'ligação', 'ligações')}.{' '}
      {sentence}
      {errors.length > 0 && (
        <>
          <p>{plural(errors.length, 'problema', 'problemas')} a corrigir no editor antes de publicar:</p>
          <Box component="ul" sx={{ m: 0, pl: 4 }}>
            {[...new Set(errors.map((error) => error.sentence))].map((error) => (
              <li key={error}>{error}</li>
            ))}
          </Box>
        </>
      )}
    </Notice>
  )
}

const useReading = (first: File | null, onName: (name: string) => void) => {
  const [reading, setReading] = useState<Reading>({ state: 'none' })
  const knownHere = useKnownHere()
  const latest = useRef<File>(null)
  const read = async (file: File) => {
    latest.current = file
    setReading({ state: 'reading' })
    const found = await readFlowFile(file)
    const next: Reading = found.isOk
      ? await knownHere(found.flow).then(
          ({ document, sentence }) => ({ state: 'read', flow: { ...found.flow, document }, sentence }) as const,
          (error: unknown) => ({
            state: 'refused' as const,
            fileName: file.name,
            sentences: [error instanceof ApiProblem ? error.title : 'O arquivo não pôde ser conferido. Tente de novo.'],
          }),
        )
      : { state: 'refused', fileName: file.name, sentences: found.sentences }
    // Another file was chosen meanwhile.
    if (latest.current !== file) return
    if (next.state === 'read') onName(next.flow.name.trim().slice(0, maximumFlowNameLength))
    setReading(next)
  }
  const readFirst = useRef(read)
  useEffect(() => {
    if (first) void readFirst.current(first)
  }, [first])
  return { reading, read }
}

interface Props {
  first: File | null
  folders: readonly FlowFolder[]
  folderId: string | null
  onCreated: (flow: Flow) => void
  onClose: () => void
}

/** 'Importar': the file is checked here before anything is sent. */
export const ImportDialog = ({ first, folders, folderId, onCreated, onClose }: Props) => {
  const state = useState({ name: '', folder: folderId ?? '' })
  const { reading, read } = useReading(first, (name) => state[1]((values) => ({ ...values, name })))
  const isRead = reading.state === 'read'
  const form = useForm(state, {
    command: useImportFlow(),
    toInput: ({ name, folder }) => ({
      name: name.trim(),
      folderId: folder || null,
      ...(isRead && { document: reading.flow.document }),
    }),
    fieldOf: () => 'name',
    onDone: onCreated,
  })
  const hasName = form.values.name.trim() !== ''
  return (
    <FormDialog
      title="Importar Fluxo"
      maxWidth="sm"
      form={{ ...form, isChanged: isRead }}
      submit={isRead ? 'Importar' : null}
      submitting="Importando..."
      canSubmit={isRead && hasName}
      onClose={onClose}
    >
      {reading.state === 'reading' && <Spinner label="Conferindo o arquivo..." />}
      {reading.state === 'refused' && <Refused {...reading} />}
      {(reading.state === 'none' || reading.state === 'refused') && <DropZone onFile={(file) => void read(file)} />}
      {isRead && (
        <>
          <Contents flow={reading.flow} sentence={reading.sentence} />
          <Field
            label="Nome"
            maxLength={maximumFlowNameLength}
            autoFocus
            autoComplete="off"
            {...form.bind('name')}
            {...(!hasName && { error: 'Dê um nome ao fluxo.' })}
          />
          <SelectField
            label="Pasta"
            {...form.bind('folder')}
            options={[
              { value: '', label: 'Sem pasta' },
              ...folders.map(({ id, name: label }) => ({ value: id, label })),
            ]}
          />
        </>
      )}
    </FormDialog>
  )
}
