/** How the engine tells operators of what happened to it; whoever opens it says where that goes. */
export type Report = (
  level: 'info' | 'warn' | 'error',
  message: string,
  details: Readonly<Record<string, unknown>>,
) => void
