import { forwardRef, type ButtonHTMLAttributes, type ReactNode } from 'react';
import { Tip } from '@/ui/tip';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: 'plain' | 'primary' | 'danger' | 'quiet';
  small?: boolean;
  icon?: ReactNode;
}

export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { tone = 'plain', small, icon, children, className, type = 'button', ...rest },
  ref,
) {
  const names = ['button', tone === 'plain' ? '' : tone, small ? 'sm' : '', className ?? ''];
  return (
    <button ref={ref} type={type} className={names.filter(Boolean).join(' ')} {...rest}>
      {icon}
      {children}
    </button>
  );
});

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  label: string;
  icon: ReactNode;
}

/** A button that is only a picture; its label is read aloud and shown on hover. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { label, icon, tone = 'quiet', className, ...rest },
  ref,
) {
  return (
    <Tip text={label}>
      <Button ref={ref} tone={tone} aria-label={label} className={`icon ${className ?? ''}`} {...rest}>
        {icon}
      </Button>
    </Tip>
  );
});
