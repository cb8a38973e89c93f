/** What was piped into a command, where `-` stands for a file. */

export async function standardInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk as string
  return text
}
