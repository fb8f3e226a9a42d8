import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useEffect, useRef } from 'react'
import CloseIcon from '~icons/ic/round-close'
import RestartIcon from '~icons/ic/round-replay'
import { KeyHint } from '../../../components/key-hint.tsx'
import { wholeScreen } from '../part-dialog.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import { SceneForm } from './scene-form.tsx'
import { ShortWait, shortWaitSeconds } from './short-wait.tsx'
import { TryoutChat } from './tryout-chat.tsx'
import { TryoutComposer } from './tryout-composer.tsx'
import { Problems, TestFailed, Variables, Waiting } from './tryout-state.tsx'
import { useReveal } from './use-reveal.ts'
import { useTryout } from './use-tryout.ts'

interface Props {
  flowId: string
  document: FlowDocument
  /** Current node of the test, for the canvas; null outside a run. */
  onCurrentNode: (nodeId: string | null) => void
  onClose: () => void
}

const useReportedNode = (nodeId: string | null, onCurrentNode: Props['onCurrentNode']) => {
  const report = useRef(onCurrentNode)
  useEffect(() => {
    report.current = onCurrentNode
  }, [onCurrentNode])
  useEffect(() => report.current(nodeId), [nodeId])
  useEffect(() => () => report.current(null), [])
}

/** Returns the focus to its origin, unless it has moved elsewhere. */
const useFocusReturn = () => {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = panel.current
    const before = document.activeElement
    return () => {
      const isHere = element?.contains(document.activeElement) || document.activeElement === document.body
      if (isHere && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return panel
}

const titleId = 'flow-tryout'

const Heading = ({ onRestart, onClose }: { onRestart: () => void; onClose: () => void }) => (
  <Box sx={{ display: 'flex', alignItems: 'center', pl: 4, pr: 2, minHeight: 'var(--header-height)' }}>
    <Typography variant="subtitle1" component="h2" id={titleId} sx={{ flex: 1 }}>
      Testar
    </Typography>
    <KeyHint title="Recomeçar">
      <IconButton aria-label="Recomeçar" color="secondary" onClick={onRestart}>
        <RestartIcon />
      </IconButton>
    </KeyHint>
    <KeyHint title="Fechar" keys={['Esc']}>
      <IconButton aria-label="Fechar teste" color="secondary" onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </KeyHint>
  </Box>
)

interface WaitProps {
  tryout: ReturnType<typeof useTryout>
  /** Null: passes when it is skipped. */
  seconds: number | null
  isTyping: boolean
  thenWrite: (act: () => void) => () => void
}

const Wait = ({ tryout, seconds, isTyping, thenWrite }: WaitProps) => {
  const { current, skipTime, reply, inputCount, isWaiting } = tryout
  if (!current) return null
  const onSkip = thenWrite(skipTime)
  if (seconds === null)
    return <Waiting current={current} onSkip={onSkip} onReply={(output) => thenWrite(() => reply(output))()} />
  return (
    <ShortWait key={inputCount} seconds={seconds} isPaused={isTyping || isWaiting} onOver={skipTime} onSkip={onSkip} />
  )
}

const Content = ({ flowId, document, onCurrentNode, onClose }: Props) => {
  const tryout = useTryout(flowId, document)
  const { problems, current, scene } = tryout
  const reveal = useReveal(tryout.items)
  const waitSeconds = shortWaitSeconds(document, current)
  const composer = useRef<HTMLTextAreaElement>(null)
  const panel = useFocusReturn()
  useReportedNode(current?.nodeId ?? null, onCurrentNode)
  useEffect(() => composer.current?.focus(), [])

  /** The pressed button may disappear: the composer takes the focus. */
  const thenWrite = (act: () => void) => () => {
    act()
    composer.current?.focus()
  }
  const blocked =
    problems.length > 0
      ? 'Corrija o rascunho para testar'
      : tryout.isFull
        ? 'O teste chegou a 500 entradas: recomece'
        : null
  return (
    <Box
      ref={panel}
      component="section"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      sx={{ display: 'flex', flexDirection: 'column', height: '100%', minHeight: 0, bgcolor: 'surface' }}
    >
      <Heading onRestart={thenWrite(tryout.restart)} onClose={onClose} />
      <Typography
        variant="caption"
        component="p"
        sx={{ px: 4, pb: 2, color: 'text.secondary', borderBottom: '1px solid', borderColor: 'divider' }}
      >
        É o rascunho que responde. Nada é enviado a ninguém nem fica guardado.
      </Typography>
      {/* Unfolded parts leave half of the height to the conversation. */}
      <Box sx={{ flex: '0 1 auto', maxHeight: '50%', overflowY: 'auto' }}>
        <SceneForm scene={scene} onChange={tryout.setScene} />
        <Variables variables={tryout.variables} />
      </Box>
      {problems.length > 0 ? (
        <Problems problems={problems} />
      ) : (
        <TryoutChat reveal={reveal} contactName={scene.contact.name.trim() || 'Contato'} isWaiting={tryout.isWaiting} />
      )}
      <Typography
        role="status"
        variant="caption"
        component="p"
        sx={{ color: 'info.main', '&:not(:empty)': { px: 4, py: 2 } }}
      >
        {tryout.isReplayed &&
          problems.length === 0 &&
          'O rascunho mudou: a mesma conversa foi repetida desde o começo.'}
      </Typography>
      {tryout.error && problems.length === 0 && <TestFailed error={tryout.error} onRetry={tryout.retry} />}
      <Wait tryout={tryout} seconds={waitSeconds} isTyping={reveal.isTyping} thenWrite={thenWrite} />
      <TryoutComposer ref={composer} blocked={blocked} onWrite={tryout.write} onFile={thenWrite(tryout.sendFile)} />
    </Box>
  )
}

export const TryoutPanel = (props: Props) => {
  const isPhone = useIsPhone()
  if (isPhone)
    return (
      <Dialog
        open
        fullScreen
        onClose={props.onClose}
        aria-labelledby={titleId}
        slotProps={{ paper: { sx: wholeScreen } }}
      >
        <Content {...props} />
      </Dialog>
    )
  return (
    <Box
      sx={{
        flex: 'none',
        width: 'var(--details-width)',
        maxWidth: '100%',
        height: '100%',
        borderLeft: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Content {...props} />
    </Box>
  )
}
