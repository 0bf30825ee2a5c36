//! The page of the controls.

use crate::openapi::Api;

pub(crate) fn routes(api: Api) -> Api {
    api
}
