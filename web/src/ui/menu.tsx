import * as Dropdown from '@radix-ui/react-dropdown-menu';
import { cloneElement, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';

export interface MenuItem {
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  key?: string;
}
export type MenuEntry = MenuItem | 'line' | { heading: string };

interface MenuProps {
  trigger: ReactElement;
  entries: (MenuEntry | null | false)[];
  align?: 'start' | 'end';
  open?: boolean;
}

/** Its parts are made when it is first opened: a long list has one in every row. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(props.open ?? false);
  if (wanted) return <Opened {...props} />;
  return <MenuTrigger trigger={props.trigger} onOpen={() => setWanted(true)} />;
}

/** What opens a menu that is not there yet. */
export function MenuTrigger({ trigger, onOpen }: { trigger: ReactElement; onOpen: () => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    onOpen();
  };
  return cloneElement(trigger, { onClick: onOpen, onKeyDown, 'aria-haspopup': 'menu', 'aria-expanded': false });
}

function Opened({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <Dropdown.Root modal={false} defaultOpen>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content className="menu" align={align} sideOffset={5} collisionPadding={8}>
          {entries.map((entry, index) => entry && <Entry key={index} entry={entry} />)}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'line') return <Dropdown.Separator className="menu-line" />;
  if ('heading' in entry) return <Dropdown.Label className="menu-label">{entry.heading}</Dropdown.Label>;
  return (
    <Dropdown.Item className={`menu-item ${entry.danger ? 'danger' : ''}`} disabled={entry.disabled} onSelect={entry.onSelect}>
      {entry.icon}
      {entry.label}
    </Dropdown.Item>
  );
}
