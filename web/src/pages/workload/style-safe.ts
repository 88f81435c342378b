// xterm writes its measures into <style> elements, which a strict Content-Security-Policy refuses.
// Given this document instead, it gets an element whose text goes into a constructed style sheet.

function styleHolder(): HTMLElement {
  const holder = document.createElement('span');
  holder.hidden = true;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(holder, 'textContent', {
    get: () => '',
    set: (text: string) => sheet.replaceSync(text),
  });
  const remove = holder.remove.bind(holder);
  holder.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    remove();
  };
  return holder;
}

export function styleSafeDocument(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') {
        return (tag: string, options?: ElementCreationOptions) =>
          tag === 'style' ? styleHolder() : target.createElement(tag, options);
      }
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}
