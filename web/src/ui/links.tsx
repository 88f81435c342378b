// Names that lead to the page of what they name.
import { Link } from 'react-router-dom';
import { useAllowed } from '@/api/queries';

export const PersonLink = ({ name }: { name: string | null | undefined }) =>
  name ? (
    <Link className="quiet-link clip" to={`/users/${encodeURIComponent(name)}`} title={name}>
      {name}
    </Link>
  ) : (
    <>–</>
  );

export const NodeLink = ({ name }: { name: string }) => {
  const allowed = useAllowed();
  return allowed('nodes') ? (
    <Link className="quiet-link" to={`/nodes/${encodeURIComponent(name)}`}>
      {name}
    </Link>
  ) : (
    <>{name}</>
  );
};

export const ProjectLink = ({ id, name }: { id: string; name: string }) => {
  const allowed = useAllowed();
  return allowed('project') ? (
    <Link className="quiet-link" to={`/projects/${id}`}>
      {name}
    </Link>
  ) : (
    <>{name}</>
  );
};
