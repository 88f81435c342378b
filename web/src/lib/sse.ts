// Server-sent events out of a byte stream, in pieces of any size.

export interface ServerEvent {
  event: string;
  data: string;
  id: string;
}

export class EventParser {
  private buffer = '';
  private event = '';
  private data: string[] = [];
  private id = '';
  retry: number | null = null;

  /** Events that are complete with this piece. */
  push(piece: string): ServerEvent[] {
    this.buffer += piece;
    const done: ServerEvent[] = [];
    for (;;) {
      const end = this.buffer.search(/\r\n|\n|\r(?!$)/);
      if (end < 0) return done;
      const line = this.buffer.slice(0, end);
      this.buffer = this.buffer.slice(end + (this.buffer.startsWith('\r\n', end) ? 2 : 1));
      const event = this.take(line);
      if (event) done.push(event);
    }
  }

  private take(line: string): ServerEvent | null {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    else if (field === 'id') this.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return null;
  }

  private dispatch(): ServerEvent | null {
    const event = { event: this.event || 'message', data: this.data.join('\n'), id: this.id };
    const empty = this.data.length === 0;
    this.event = '';
    this.data = [];
    return empty ? null : event;
  }
}
