/**
 * Constructs on which JavaScript and Ruby are known to part: found in the tree and told in words, so that
 * a config check can show them. Everything not named here is meant to be the same to the letter.
 */
import { needsCaseFlag } from '../chars/case-flag.ts'
import { isNullable, type Node, some } from './tree.ts'

export function differences(root: Node): string[] {
  const notes: string[] = []
  const add = (note: string, found: boolean): void => {
    if (found) notes.push(note)
  }
  add(
    'a loop whose body can match nothing may end at another place',
    some(
      root,
      (node) => node.type === 'repeat' && node.max > 1 && isNullable(node.body) && hasEmptyChoice(node.body),
    ),
  )
  add(
    'a group in a loop forgets its text when a later round does not use it',
    some(root, (node) => node.type === 'repeat' && node.max > 1 && hasOptionalCapture(node.body, false)),
  )
  add(
    'a backreference to a group that took no part matches the empty text',
    some(root, (node) => node.type === 'backreference'),
  )
  add(
    'a backreference in a part that ignores case compares with case',
    some(root, (node) => node.type === 'backreference' && node.fold) && !needsCaseFlag(root, false),
  )
  return notes
}

/** Whether the first way to match can be the empty one while another consumes, or a group sees the difference. */
function hasEmptyChoice(body: Node): boolean {
  return some(
    body,
    (node) => node.type === 'choice' || node.type === 'capture' || (node.type === 'repeat' && node.lazy),
  )
}

function hasOptionalCapture(node: Node, optional: boolean): boolean {
  switch (node.type) {
    case 'capture':
      return optional || hasOptionalCapture(node.body, false)
    case 'choice':
      return node.options.some((option) => hasOptionalCapture(option, true))
    case 'sequence':
      return node.items.some((item) => hasOptionalCapture(item, optional))
    case 'repeat':
      return hasOptionalCapture(node.body, optional || node.min === 0)
    case 'atomic':
    case 'look':
      return hasOptionalCapture(node.body, optional)
    default:
      return false
  }
}
