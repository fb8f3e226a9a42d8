import IconButton from '@mui/material/IconButton'
import { Background, BackgroundVariant, MiniMap, type Node, Panel } from 'reactflow'
import FitIcon from '~icons/ic/round-fit-screen'
import LockIcon from '~icons/ic/round-lock'
import LockOpenIcon from '~icons/ic/round-lock-open'
import ZoomInIcon from '~icons/ic/round-zoom-in'
import ZoomOutIcon from '~icons/ic/round-zoom-out'
import { KeyHint } from '../../../components/key-hint.tsx'
import { gridPx } from '../state/node-graph.ts'

interface Props {
  isLocked: boolean
  onZoomIn: () => void
  onZoomOut: () => void
  onFit: () => void
  /** Null: nothing can be moved. */
  onLock: (() => void) | null
}

const minimapStyle = { width: 200, height: 150 }
const miniColour = ({ type }: Node) => (type === 'note' ? 'var(--warn-soft)' : 'var(--border-strong)')

/** What lies around the steps, apart from its buttons. */
export const CanvasGround = () => (
  <>
    <Background variant={BackgroundVariant.Dots} gap={gridPx} color="var(--border-strong)" />
    <MiniMap
      ariaLabel="Minimapa"
      style={minimapStyle}
      pannable
      zoomable
      nodeColor={miniColour}
      maskColor="var(--hover)"
    />
  </>
)

export const CanvasControls = ({ isLocked, onZoomIn, onZoomOut, onFit, onLock }: Props) => {
  const lock = isLocked ? 'Destravar o desenho' : 'Travar o desenho'
  const controls = [
    { name: 'Aumentar o zoom', key: '+', Icon: ZoomInIcon, onPress: onZoomIn },
    { name: 'Diminuir o zoom', key: '-', Icon: ZoomOutIcon, onPress: onZoomOut },
    { name: 'Enquadrar', key: '0', Icon: FitIcon, onPress: onFit },
    ...(onLock ? [{ name: lock, key: 'X', Icon: isLocked ? LockIcon : LockOpenIcon, onPress: onLock }] : []),
  ]
  return (
    <Panel position="bottom-left" className="flow-controls">
      {controls.map(({ name, key, Icon, onPress }) => (
        <KeyHint key={key} title={name} keys={[key]}>
          <IconButton aria-label={name} color="secondary" onClick={onPress}>
            <Icon />
          </IconButton>
        </KeyHint>
      ))}
    </Panel>
  )
}
