// Words of a command line, quoted and unquoted the way a shell does it.

export function quote(word: string): string {
  if (/^[A-Za-z0-9_/.:=@%+,^-]+$/.test(word)) return word;
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

/** Null when a quote is not closed. */
export function split(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let mode: "'" | '"' | null = null;
  for (let i = 0; i < line.length; i++) {
    const c = line[i] as string;
    if (mode === "'") {
      if (c === "'") mode = null;
      else word += c;
    } else if (c === '\\' && i + 1 < line.length && (mode === null || '"\\$`\n'.includes(line[i + 1] as string))) {
      i++;
      if (line[i] !== '\n') word = (word ?? '') + line[i];
    } else if (mode === '"') {
      if (c === '"') mode = null;
      else word += c;
    } else if (c === "'" || c === '"') {
      mode = c;
      word ??= '';
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + c;
  }
  if (mode !== null) return null;
  if (word !== null) words.push(word);
  return words;
}
