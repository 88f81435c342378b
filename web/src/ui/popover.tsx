import * as Radix from '@radix-ui/react-popover';
import { cloneElement, useState, type ReactElement, type ReactNode } from 'react';

interface PopoverProps {
  trigger: ReactElement;
  children: ReactNode;
  label: string;
  onOpenChange?: (open: boolean) => void;
}

/** Its parts are made when it is first opened: a page may have thousands of them. */
export function Popover({ trigger, children, label, onOpenChange }: PopoverProps) {
  const [wanted, setWanted] = useState(false);
  if (!wanted) return cloneElement(trigger, { onClick: () => setWanted(true), 'aria-haspopup': 'dialog', 'aria-expanded': false });
  return (
    <Radix.Root defaultOpen onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="popover" align="start" sideOffset={5} collisionPadding={8} aria-label={label}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
