/** When a file is full: for its size, its age, or whichever comes first. An empty file never is. */
import type { S3OutputOptions } from './options.ts'

interface GrowingFile {
  readonly size: number
  /** Milliseconds since 1970. */
  readonly created: number
}

type Rotation = (file: GrowingFile, now: number) => boolean

export function rotationOf({
  rotation_strategy,
  size_file,
  time_file,
}: Pick<S3OutputOptions, 'rotation_strategy' | 'size_file' | 'time_file'>): Rotation {
  const bySize: Rotation = ({ size }) => size >= size_file
  const byTime: Rotation = ({ size, created }, now) => size > 0 && now - created >= time_file * 60_000
  if (rotation_strategy === 'size') return bySize
  if (rotation_strategy === 'time') return byTime
  return (file, now) => bySize(file, now) || byTime(file, now)
}
