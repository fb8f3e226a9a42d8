import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** `paper`: white, because cameras need it. */
export const QrFrame = ({ paper, children }: { paper?: boolean; children: ReactNode }) => (
  <Box
    sx={{
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'center',
      justifyContent: 'center',
      gap: 3,
      width: 'var(--qr-size)',
      height: 'var(--qr-size)',
      p: paper ? 2 : 6,
      bgcolor: paper ? 'var(--qr-paper)' : 'sunken',
      textAlign: 'center',
      textWrap: 'balance',
      overflow: 'hidden',
      border: '1px solid',
      borderColor: 'divider',
      borderRadius: 'var(--radius-panel)',
    }}
  >
    {children}
  </Box>
)

export const QrImage = ({ src }: { src: string }) => (
  <QrFrame paper>
    <Box
      component="img"
      src={src}
      alt="QR Code para conectar o WhatsApp"
      sx={{ width: '100%', height: '100%', imageRendering: 'pixelated' }}
    />
  </QrFrame>
)
