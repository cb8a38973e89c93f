/** How the engine reports events to operators; whoever opens the engine decides where that goes. */
export type Report = (
  level: 'info' | 'warn' | 'error',
  message: string,
  details: Readonly<Record<string, unknown>>,
) => void
