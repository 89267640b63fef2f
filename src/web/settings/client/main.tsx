import { render } from 'preact';
import { Settings } from './settings.tsx';
import { Join, ResetPassword } from './sign-in-pages.tsx';

const root = document.getElementById('page') ?? document.body;
const [, page, token = ''] = location.pathname.split('/');

root.replaceChildren();
if (page === 'join') render(<Join token={decodeURIComponent(token)} />, root);
else if (page === 'reset') {
  const resetToken = location.hash.slice(1);
  // The token allows anyone to set the password, so it is removed from the address bar.
  history.replaceState(null, '', location.pathname);
  render(<ResetPassword token={resetToken} />, root);
} else render(<Settings />, root);
