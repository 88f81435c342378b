import * as Dropdown from '@radix-ui/react-dropdown-menu';
import type { ReactElement, ReactNode } from 'react';

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
}

export function Menu({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <Dropdown.Root modal={false}>
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
